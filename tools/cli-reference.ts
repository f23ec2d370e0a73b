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
      table(
        ['Command', 'Description'],
        commands.map((command) => [link(nameOf(command)), command.description()]),
      ),
      '## Exit codes',
      table(
        ['Code', 'Meaning'],
        exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
      ),
      conventions,
      ...commands.flatMap(section),
    ].join('\n\n') + '\n'
  )
}

export function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...commandsBelow(child)])
}

/**
 * Reasons why the examples of some commands are not run by the test of the page, by the command's
 * name without `framegate`.
 */
const reasonsNotRun: Readonly<Record<string, string>> = {
  serve: 'each of them runs until it is stopped',
  listen: 'each of them runs until it is stopped; a test forwards events',
  log: 'the second one runs until it is stopped',
  mcp: 'each of them serves the agent that starts it; a test calls tools',
  backup: 'the folder of the page has no database; a test makes backups and restores one',
  export: 'the folder of the page has no database; a test moves an installation',
  import: 'the page has no PostgreSQL server; a test moves an installation',
  media: 'the folder of the page has no database; a test damages files and finds them',
  'media verify': 'the folder of the page has no database; a test damages files and finds them',
  'tasks release': 'the service of the page has no task on hold; a test restores a backup',
  'tasks fail': 'the service of the page has no task on hold; a test restores a backup',
}

function notRunMark(name: string): string[] {
  const reason = reasonsNotRun[name]
  return reason === undefined ? [] : [`<!-- not run: ${reason} -->`]
}

function section(command: Command): string[] {
  const usage = [nameOf(command), command.usage()].join(' ')
  const examples = examplesOf(command)
  const notes = notesOf(command)
  return [
    `## ${nameOf(command)}`,
    command.description(),
    fenced(
      'text',
      command.commands.length > 0 ? `${nameOf(command)} ${command.commands.map((child) => child.name()).join('|')}` : usage,
    ),
    ...rows(
      ['Argument', 'Meaning'],
      command.registeredArguments.map((argument) => [`\`${argument.name()}\``, argument.description]),
    ),
    ...rows(
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
    ...(examples.length === 0 ? [] : [fenced('sh', examples.join('\n'))]),
  ]
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

function rows(headings: [string, string], cells: string[][]): string[] {
  return cells.length === 0 ? [] : [table(headings, cells)]
}

function table(headings: string[], cells: string[][]): string {
  return [headings, headings.map(() => '---'), ...cells.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')
}

function link(name: string): string {
  return `[\`${name}\`](#${name.replaceAll(' ', '-')})`
}

function fenced(language: 'sh' | 'text', text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

const introduction = `# The command line

This page lists every command of \`framegate\` with its options and examples. \`node tools/write-cli-reference.ts\` generates it from the
commands, and \`framegate COMMAND --help\` shows the same text. In a checkout of the repository, the command is \`npx framegate\`.`

const conventions = `## Conventions

- Results go to stdout; messages and progress go to stderr. On a terminal, the progress of each task is one line that is updated in
  place; in a pipe, it is a sequence of plain lines. Output that is not on a terminal has no colors and no cursor codes. \`NO_COLOR\`
  disables colors on a terminal.
- \`--json\` prints one line: an object for one requested item, an array for several. Tasks, models and quotes have the fields of the
  API ([api.md](api.md)), plus \`path\` if a file was saved. If the server rejects the request, nothing is printed on stdout.
- With \`--json\`, a list has the format of the API's lists: \`{"object": "list", "items", "has_more", "next_cursor"}\`. If a command
  has \`--limit\`, pass \`next_cursor\` as \`--cursor\` to get the next page. Other lists are complete.
- With \`--json\`, an error is one line of JSON on stderr, \`{"error": {"code", "message", "param", "errors", "status", "request_id", "exit_code"}}\`.
  It is either an error of the API, or an error of the command itself, with \`status\` null and the code \`wrong_usage\`,
  \`connection_failed\`, \`wait_timed_out\` or \`failed\`. A command with several ids prints one line for each id that failed. Progress
  lines may precede the error.
- The server and the key are those of \`--url\` and \`--api-key\`, otherwise of \`FRAMEGATE_URL\` and \`FRAMEGATE_API_KEY\`, otherwise of the
  profile (\`--profile\`, or the profile in use). The default server is \`http://127.0.0.1:8787/api\`.
- A table on a terminal is as wide as the terminal, or 80 columns if the terminal reports no width. Long names are shortened, long
  texts wrap between words, and less important columns are hidden; the last line lists the hidden columns. In a pipe or a file, every
  row is one line with all columns.
- An empty list prints nothing on stdout, and a hint on stderr.
- The error for a mistyped command, option or Model ID suggests the nearest name.
- Ctrl-C ends a command gracefully, and a second Ctrl-C ends it immediately.

## JSON

| Command | Output with \`--json\` |
| --- | --- |
| \`serve\` | \`base_url\`, \`data_dir\` and \`api_key\` (null if no key was created), when the service is ready |
| \`generate\`, \`tasks download\` | the task, even if it failed, and the absolute \`path\` if its file was saved |
| \`tasks list\` | a list of tasks, newest first |
| \`tasks get\`, \`tasks wait\`, \`tasks cancel\` | the task, or for several ids an array in the same order |
| \`models list\`, \`models show\` | a list of models; the model, with its \`parameters\` as JSON Schema |
| \`quote\` | the quote: \`amount\`, \`available\`, \`reason\`, \`parameters\` |
| \`profiles list\` | a list of profiles with \`name\`, \`url\`, \`key_hint\` (the end of the key) and \`in_use\`; the other \`profiles\` commands print one profile |
| \`doctor\` | \`status\` (the worst of all checks: ok, warn or fail) and \`checks\`, each with \`name\`, \`status\`, \`message\` and \`advice\` |

## Environment and files

| Name | Meaning |
| --- | --- |
| \`FRAMEGATE_URL\`, \`FRAMEGATE_API_KEY\` | the server and the key that commands use |
| \`XDG_CONFIG_HOME\` | folder of \`framegate/profiles.json\`, mode 0600 (default: \`~/.config\`) |
| \`NO_COLOR\` | any value disables colors |
| \`LOG_LEVEL=debug\` | prints the stack trace of an internal error |

The settings of the service, which \`serve\` and \`doctor\` read, are in [configuration.md](configuration.md).`
