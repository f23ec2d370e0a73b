import { CommandFailure } from '../command-failure.ts'
import type { ServerSession } from '../connection/call-server.ts'
import { exitCodes } from '../exit-codes.ts'
import { canAsk, confirm } from '../terminal/confirm.ts'
import { plainText } from '../terminal/write.ts'
import { idWithName } from './id-with-name.ts'

/** Help text of `--yes` for a permanent change of an account. */
export const yesDescription = 'do not ask for confirmation on a terminal'

/**
 * Asks for a confirmation of a permanent change, with the name of the account. Throws if the user
 * declines. Without a terminal, for example in a cron job, does not ask.
 */
export async function confirmAccountChange(
  { client, call }: ServerSession,
  path: string,
  question: (account: string) => string,
): Promise<void> {
  if (!canAsk()) return
  const { id, name } = await client.request<{ id: string; name: string }>({ method: 'GET', path }, call)
  const isConfirmed = await confirm(question(plainText(idWithName(id, name))), call.signal)
  if (!isConfirmed) throw new CommandFailure(exitCodes.failed, 'Nothing was changed.')
}
