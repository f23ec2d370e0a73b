import type { SignInLinks } from '../auth/sign-in-links.ts'
import type { Store } from '../db/store.ts'
import type { Clock } from '../lib/clock.ts'

interface SignInLinkDependencies {
  consoleUrl: string
  links: SignInLinks
  store: Pick<Store, 'database'>
  /** The account of the operator. */
  accountNo: number
  clock: Clock
}

/**
 * Creates a one-time sign-in link for the account's newest valid key with the scope `admin`.
 * Returns null if there is no such key. The code is in the URL fragment, which
 * browsers do not send to proxies and servers.
 */
export async function createSignInLink(dependencies: SignInLinkDependencies): Promise<string | null> {
  const { consoleUrl, links, store, accountNo, clock } = dependencies
  const nowMs = clock()
  const rows = await store.database
    .selectFrom('api_key_secrets as secret')
    .innerJoin('api_keys as key', 'key.no', 'secret.key_no')
    .select(['secret.digest', 'key.scopes'])
    .where('key.account_no', '=', accountNo)
    .where('key.revoked_at', 'is', null)
    .where((builder) => builder.or([builder('key.expires_at', 'is', null), builder('key.expires_at', '>', nowMs)]))
    .where((builder) => builder.or([builder('secret.expires_at', 'is', null), builder('secret.expires_at', '>', nowMs)]))
    .orderBy('secret.no', 'desc')
    .limit(secretsMax)
    .execute()
  const adminRow = rows.find(({ scopes }) => (JSON.parse(scopes) as string[]).includes('admin'))
  return adminRow === undefined ? null : `${consoleUrl}/sign-in#code=${links.create(adminRow.digest)}`
}

/** Number of secrets, newest first, among which the secret of an operator's key is searched. */
const secretsMax = 1000
