import { type Command, Help, type HelpConfiguration } from 'commander';
import { examples } from './examples.ts';

const standard = new Help();

/** Help that shows required options twice: in the usage line, and marked in the list of options. */
export const helpStyle: HelpConfiguration = {
  commandUsage(command) {
    const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    return standard.commandUsage(command).replace('[options]', [...required, '[options]'].join(' '));
  },
  optionDescription: (option) => `${standard.optionDescription(option)}${option.mandatory ? ' (required)' : ''}`,
};

/** Every command with the words that call it, as `token create`; that of the program itself is the empty text. */
export function commandsByPath(program: Command, path = ''): [path: string, command: Command][] {
  const below = program.commands.flatMap((command) => commandsByPath(command, `${path} ${command.name()}`.trim()));
  return [[path, program], ...below];
}

/** The examples have a file of their own, so that all of them can be read, and checked, side by side. */
export function addExamples(program: Command): void {
  for (const [path, command] of commandsByPath(program)) {
    const lines = examples[path];
    if (lines) command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
}
