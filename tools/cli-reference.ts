import { exitCodeMeanings } from '../packages/cli/src/exit-codes.ts'
import type { createProgram } from '../packages/cli/src/program.ts'
import { examplesOf, notesOf } from '../packages/cli/src/terminal/examples.ts'

type Command = ReturnType<typeof createProgram>['commands'][number]

/** Generates the reference page of the command line from the commands themselves. */
export function cliReference(program: Command): string {
  const commands = commandsBelow(program)
  return (
    [
      introduction,
      tableText(
        ['Command', 'Description'],
        commands.map((command) => [linkTo(nameOf(command)), command.description()]),
      ),
      '## Exit codes',
      tableText(
        ['Code', 'Meaning'],
        exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
      ),
      conventions,
      ...commands.flatMap(sectionOf),
    ].join('\n\n') + '\n'
  )
}

export function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...commandsBelow(child)])
}

/**
 * Reasons why the docs test does not run the examples of some commands, keyed by the command's name
 * without `framegate`.
 */
const reasonsNotRun: Readonly<Record<string, string>> = {
  serve: 'each command runs until it is stopped',
  listen: 'each command runs until it is stopped',
  log: 'the second command runs until it is stopped',
  mcp: 'each command serves the agent that starts it; mcp.test.ts covers this',
  backup: 'the docs test has no database here; backup.test.ts covers this',
  export: 'the docs test has no database here',
  import: 'the docs test has no PostgreSQL server',
  media: 'the docs test has no database here; media.test.ts covers this',
  'media verify': 'the docs test has no database here; media.test.ts covers this',
  'tasks release': 'the docs test has no task on hold; backup.test.ts covers this',
  'tasks fail': 'the docs test has no task on hold; backup.test.ts covers this',
}

function notRunMark(name: string): string[] {
  const reason = reasonsNotRun[name]
  return reason === undefined ? [] : [`<!-- not run: ${reason} -->`]
}

function sectionOf(command: Command): string[] {
  const usage = [nameOf(command), command.usage()].join(' ')
  const examples = examplesOf(command)
  const notes = notesOf(command)
  return [
    `## ${nameOf(command)}`,
    command.description(),
    fencedText(
      'text',
      command.commands.length > 0 ? `${nameOf(command)} ${command.commands.map((child) => child.name()).join('|')}` : usage,
    ),
    ...tableRows(
      ['Argument', 'Meaning'],
      command.registeredArguments.map((argument) => [`\`${argument.name()}\``, argument.description]),
    ),
    ...tableRows(
      ['Option', 'Meaning'],
      command.options.map(({ flags, description, argChoices, defaultValue }) => [
        `\`${flags}\``,
        [
          description,
          ...(argChoices === undefined ? [] : [`(one of: ${argChoices.join(', ')})`]),
          ...(typeof defaultValue === 'number' ? [`(default: ${defaultValue})`] : []),
        ].join(' '),
      ]),
    ),
    ...(notes === '' ? [] : [notes]),
    ...notRunMark(nameOf(command).replace('framegate ', '')),
    ...(examples.length === 0 ? [] : [fencedText('sh', examples.join('\n'))]),
  ]
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

function tableRows(headings: [string, string], cells: string[][]): string[] {
  return cells.length === 0 ? [] : [tableText(headings, cells)]
}

function tableText(headings: string[], cells: string[][]): string {
  return [headings, headings.map(() => '---'), ...cells.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

function linkTo(name: string): string {
  return `[\`${name}\`](#${name.replaceAll(' ', '-')})`
}

function fencedText(language: 'sh' | 'text', text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

const introduction = `# The command line

Every command of \`framegate\`, with its options and examples. \`node tools/write-cli-reference.ts\` generates this page from the
commands; \`framegate COMMAND --help\` prints the same text. In a checkout of the repository the command is \`npx framegate\`.`

const conventions = `## Conventions

- **Output.** Results go to stdout; messages and progress go to stderr. On a terminal, the progress of each task is a line that is
  redrawn in place; elsewhere, each change is a new line. Colors and cursor codes are used only on a terminal; \`NO_COLOR\`
  disables colors.
- **JSON.** \`--json\` prints one line: an object for one requested item, an array for several. Tasks, models and quotes have the same
  fields as in the API ([api.md](api.md)), plus \`path\` if a file was saved. A command that fails before it starts prints nothing on
  stdout.
- **Lists.** A list with \`--json\` has the same format as in the API: \`{"object": "list", "items", "has_more", "next_cursor"}\`.
  Commands with \`--limit\` also have \`--cursor\`: with the \`next_cursor\` of a list, they print the items after it. All other lists are
  complete.
- **Errors.** An error with \`--json\` is one line of JSON on stderr:
  \`{"error": {"code", "message", "param", "errors", "status", "request_id", "exit_code"}}\`. Errors of the command itself have
  \`status\` null and the code \`wrong_usage\`, \`connection_failed\`, \`wait_timed_out\` or \`failed\`. A command with several ids prints
  one line for each failed id. Progress lines may precede the errors.
- **Server.** \`--url\` and \`--api-key\` take precedence over \`FRAMEGATE_URL\` and \`FRAMEGATE_API_KEY\`, which take precedence over the
  profile (\`--profile\`, or the one in use). Without any of these, the server is \`http://127.0.0.1:8787/api\`.
- **Tables.** A table is at most as wide as the terminal, or 80 columns if the width is unknown. If it would be wider, long names
  are shortened, long texts wrap between words, and less important columns are hidden. The last line then lists the hidden columns.
  In a pipe or a file, every row is one line with all columns.
- **Empty lists.** Nothing is printed on stdout. A message on stderr names the next step.
- **Typing errors.** The error for an unknown command, option or Model ID suggests the nearest name.
- **Interruption.** Ctrl-C shuts a command down gracefully, and a second Ctrl-C ends it immediately.

## JSON

| Command | Output with \`--json\` |
| --- | --- |
| \`serve\` | \`base_url\`, \`data_dir\` and \`api_key\` (null if no key was created), when the service is ready |
| \`generate\`, \`tasks download\` | the task, even if it failed, and the absolute \`path\` if its file was saved |
| \`tasks list\` | a list of tasks, newest first |
| \`tasks get\`, \`tasks wait\`, \`tasks cancel\` | the task; for several ids, an array in the order of the ids |
| \`models list\` | a list of models |
| \`models show\` | the model, with its \`parameters\` as JSON Schema |
| \`quote\` | the quote: \`amount\`, \`available\`, \`reason\`, \`parameters\` |
| \`profiles list\` | a list of profiles, each with \`name\`, \`url\`, \`key_hint\` (the end of the key) and \`in_use\` |
| other \`profiles\` commands | the profile, with the same fields |
| \`doctor\` | \`status\` (the worst status of all checks: \`ok\`, \`warn\` or \`fail\`) and \`checks\`, each with \`name\`, \`status\`, \`message\` and \`advice\` |

## Environment and files

| Name | Meaning |
| --- | --- |
| \`FRAMEGATE_URL\`, \`FRAMEGATE_API_KEY\` | the server and the API key that commands use |
| \`XDG_CONFIG_HOME\` | parent folder of \`framegate/profiles.json\`, whose mode is 0600 (default: \`~/.config\`) |
| \`NO_COLOR\` | disables colors if set to any value |
| \`LOG_LEVEL=debug\` | prints internal errors of Framegate with their stack traces |

The settings of the service, which \`serve\` and \`doctor\` read, are in [configuration.md](configuration.md).`
