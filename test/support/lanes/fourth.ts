import '../quiet-runner.ts';

await import('../lane.ts');
