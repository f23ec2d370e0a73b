import type { Command } from 'commander'
import type { ApplyOptions } from '../apply/apply-file.ts'
import { askServer } from '../connection/ask-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'

export function addApplyCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('apply')
    .summary('make brands, accounts, keys and prices as a file declares them')
    .description('For the operator: make brands, accounts, keys and prices as a file declares them, and show the plan first.')
    .requiredOption('-f, --file <file>', 'such as framegate.yaml; its settings are left to framegate serve')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--prune', 'also remove what the file does not name, of the things that it lists')
    .option('-y, --yes', 'make the changes without asking')
  addConnectionOptions(command)
    .option('--json', 'print the changes, and the keys that were made, as JSON')
    .action(async (options: ApplyOptions & ConnectionOptions) =>
      setExitCode(
        await askServer(options, 'refuse', async (asking) => {
          const { applyFile } = await import('../apply/apply-file.ts')
          return applyFile(options, asking)
        }),
      ),
    )
  addExamples(
    command,
    [
      'framegate apply -f framegate.yaml --yes',
      'framegate apply -f framegate.yaml --dry-run',
      'framegate apply -f framegate.yaml --yes --json | jq .changes',
    ],
    `docs/apply.md tells what a file may declare. Without --yes it asks, on a terminal. The plan goes to stdout, and so do the secrets of keys that are made. It ends with 0 when all is as
the file says, with 4 after a dry run that found something to change, with 2 when the file is wrong, and with 1 when a step failed or the
answer was no. ${operatorNotes}`,
  )
}
