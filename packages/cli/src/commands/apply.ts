import type { Command } from 'commander'
import type { ApplyOptions } from '../apply/apply-file.ts'
import { callServer } from '../connection/call-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'

export function addApplyCommand(program: Command, setExitCode: (code: number) => void): void {
  const command = program
    .command('apply')
    .summary('create and change brands, accounts, keys, grants and prices as declared in a file')
    .description(
      'For the operator: create and change brands, accounts, keys, grants and prices as declared in a file. The plan is shown first.',
    )
    .requiredOption('-f, --file <file>', 'file such as `framegate.yaml`; settings of the service in it are ignored')
    .option('--dry-run', 'show the plan and change nothing')
    .option('--prune', 'also remove objects that are missing from the lists in the file')
    .option('-y, --yes', 'apply the changes without asking')
  addConnectionOptions(command)
    .option('--json', 'print the changes and new keys as JSON')
    .action(async (options: ApplyOptions & ConnectionOptions) =>
      setExitCode(
        await callServer(options, 'require server', async (session) => {
          const { applyFile } = await import('../apply/apply-file.ts')
          return applyFile(options, session)
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
    `\`docs/apply.md\` describes the file. Without \`--yes\` the command asks for confirmation on a terminal. The plan and the secrets of new keys
go to stdout. The exit code is 0 if everything is as declared, 4 after a dry run that found changes, 2 if the file is invalid, and 1 if a
step failed or you declined the plan. ${operatorNotes}`,
  )
}
