import type { Command } from 'commander'
import { askServer } from '../connection/ask-server.ts'
import { addConnectionOptions, type ConnectionOptions } from '../connection/connection-options.ts'
import { exitCodes } from '../exit-codes.ts'
import { addExamples } from '../terminal/examples.ts'
import { plainText, sayOnStderr, writeJson, writeLine } from '../terminal/write.ts'

interface CreditsOptions extends ConnectionOptions {
  json?: true
}

interface CreditsCheck {
  accounts: number
  entries: number
  holds: number
  differences: number
  found: string[]
}

export function addCreditsCommand(program: Command, setExitCode: (code: number) => void): void {
  const credits = program
    .command('credits')
    .summary('go through the books')
    .description('For the operator: the credits of all accounts. Needs a key with the scope admin.')
    .helpCommand(false)
  addExamples(credits, ['framegate credits verify'], notes)

  const verify = credits
    .command('verify')
    .description('Recompute every balance from the entries and every hold from the tasks, and say what disagrees.')
  addConnectionOptions(verify)
    .option('--json', 'print accounts, entries, holds, differences and found as JSON')
    .action(async (options: CreditsOptions) => setExitCode(await verifyCredits(options)))
  addExamples(verify, ['framegate credits verify', 'framegate credits verify --json | jq .differences'], notes)
}

const notes = 'It ends with 1 when something disagrees.'

async function verifyCredits(options: CreditsOptions): Promise<number> {
  return askServer(options, 'refuse', async ({ client, call }) => {
    const check = await client.request<CreditsCheck>({ method: 'GET', path: '/admin/v1/credits/verify' }, call)
    const { accounts, entries, holds, differences, found } = check
    if (options.json) writeJson({ accounts, entries, holds, differences, found })
    else writeLine(`${count(accounts, 'account')}, ${count(entries, 'entry', 'entries')}, ${count(differences, 'difference')}`)
    for (const difference of found) sayOnStderr(plainText(difference))
    return differences === 0 ? exitCodes.ok : exitCodes.failed
  })
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`
}
