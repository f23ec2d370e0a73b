import { setTimeout as sleep } from 'node:timers/promises'
import type { Erasure } from '@framegate/contract'
import type { Command } from 'commander'
import { addConnectionOptions } from '../connection/connection-options.ts'
import { callAndShow, type JsonOptions } from '../operation/call-and-show.ts'
import { confirmAccountChange, yesDescription } from '../operation/confirm-account-change.ts'
import { operatorNotes } from '../operation/operator-notes.ts'
import { addExamples } from '../terminal/examples.ts'
import { facts } from '../terminal/table.ts'
import { timeText } from '../terminal/time.ts'
import { writeToStderr } from '../terminal/write.ts'

interface EraseOptions extends JsonOptions {
  yes?: true
}

const pollIntervalMs = 250

export function addEraseCommand(accounts: Command, setExitCode: (code: number) => void): void {
  const command = accounts
    .command('erase')
    .description(
      'Permanently remove all content of a closed account: tasks, prompts, results, assets and names. The ledger stays.',
    )
    .argument('<id>', 'an account id')
    .option('-y, --yes', yesDescription)
  addConnectionOptions(command)
    .option('--json', 'print the report as JSON')
    .action(async (id: string, options: EraseOptions) => setExitCode(await eraseAccount(id, options)))
  addExamples(
    command,
    ['framegate accounts close acct_1', 'framegate accounts erase acct_1'],
    `The command asks for confirmation if it runs on a terminal. Pass \`--yes\` in scripts that may run on a terminal. If it is interrupted, the service continues the erasure on its own. ${operatorNotes}`,
  )
}

async function eraseAccount(id: string, { yes, ...options }: EraseOptions): Promise<number> {
  const path = `/admin/v1/accounts/${encodeURIComponent(id)}`
  return callAndShow(
    options,
    async (session) => {
      if (!yes) await confirmAccountChange(session, path, (account) => `Erase all content of the account ${account} permanently?`)
      const { client, call } = session
      for (;;) {
        const erasure = await client.request<Erasure>({ method: 'POST', path: `${path}/erase` }, call)
        if (erasure.status === 'completed') return erasure
        if (options.json === undefined) writeToStderr(`${erasure.tasks} tasks erased so far`)
        await sleep(pollIntervalMs, undefined, { signal: call.signal })
      }
    },
    describe,
  )
}

function describe({ account, tasks, results, assets, keys, audit_entries, completed }: Erasure): string {
  return facts([
    ['account', account],
    ['tasks', String(tasks)],
    ['results', String(results)],
    ['assets', String(assets)],
    ['key names', String(keys)],
    ['audit entries', String(audit_entries)],
    ['completed', timeText(completed)],
  ])
}
