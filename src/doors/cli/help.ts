import { type Command, Help, type HelpConfiguration, type Option } from 'commander';
import { giftwire } from './call.ts';
import { examples } from './examples.ts';

const standard = new Help();

/** Help that shows required options twice: in the usage line, and marked in the list of options. */
export const helpStyle: HelpConfiguration = {
  commandUsage(command) {
    const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    return standard.commandUsage(command).replace('[options]', [...required, '[options]'].join(' '));
  },
  optionDescription: (option) =>
    `${standard.optionDescription(withTypedDefault(option))}${option.mandatory ? ' (required)' : ''}`,
};

/** Shows a default as people would type it: commander shows JSON, `"CAD"` or `["email","login"]`. */
function withTypedDefault(option: Option): Option {
  if (option.defaultValue === undefined || option.defaultValueDescription !== undefined) return option;
  return Object.create(option, { defaultValueDescription: { value: [option.defaultValue].flat().join(',') } });
}

/** Every command with the words that call it, such as `token create`. The program itself has the empty path. */
export function commandsByPath(program: Command, path = ''): [path: string, command: Command][] {
  const below = program.commands.flatMap((command) => commandsByPath(command, `${path} ${command.name()}`.trim()));
  return [[path, program], ...below];
}

/** Adds the examples to each command's help. They are in one file, so that a test can check them all. */
export function addExamples(program: Command): void {
  for (const [path, command] of commandsByPath(program)) {
    const lines = examples[path];
    if (lines)
      command.addHelpText(
        'after',
        `\nExamples:\n${lines.map((line) => `  ${line.replace('npx giftwire', giftwire)}`).join('\n')}`,
      );
  }
}
