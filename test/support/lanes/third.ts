import '../lane.ts';
