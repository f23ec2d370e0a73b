import { signal } from '@preact/signals'
import type { ApiKey, KeyScope } from '@framegate/contract'
import { readError } from '../api/api-error.ts'
import { sendOnce } from '../api/call.ts'

/** The user's session. It only determines what is shown; the service checks every request. */
export interface Session {
  object: 'console_session'
  key: ApiKey
  is_operator: boolean
  /**
   * End of the confirmation, Unix seconds. Null if the session began with a link and was not
   * confirmed since.
   */
  confirmed_until: number | null
}

export interface Credentials {
  key?: string
  code?: string
}

/** Undefined until the service has responded; null if the user is not signed in. */
export const session = signal<Session | null | undefined>(undefined)

const path = '/console/session'

export async function loadSession(): Promise<void> {
  const response = await sendOnce('GET', path, {})
  if (!response.ok) throw await readError(response)
  session.value = response.status === 204 ? null : ((await response.json()) as Session)
}

/** Loads the session again if it still exists, because the permissions of its key have changed. */
export async function refreshSession(): Promise<void> {
  const response = await sendOnce('GET', path, {})
  if (response.status === 200) session.value = (await response.json()) as Session
}

export async function signIn(credentials: Credentials): Promise<void> {
  await postForSession(path, credentials)
}

/**
 * Confirms the session with its key. For ten minutes, the service then accepts changes
 * through the operator's API.
 */
export async function confirmKey(key: string): Promise<void> {
  await postForSession(`${path}/confirm`, { key })
}

export async function signOut(): Promise<void> {
  await sendOnce('DELETE', path, {})
  session.value = null
}

async function postForSession(url: string, body: unknown): Promise<void> {
  const response = await sendOnce('POST', url, { body })
  if (!response.ok) throw await readError(response)
  session.value = (await response.json()) as Session
}

/** Whether the key of the session may use a scope. Only an operator may use `admin`. */
export function may(scope: KeyScope): boolean {
  return session.value?.key.scopes.includes(scope) === true && (scope !== 'admin' || session.value.is_operator)
}

/** Returns those of the scopes that the key of the session may not use. */
export function missingScopes(scopes: readonly KeyScope[]): readonly KeyScope[] {
  return scopes.filter((scope) => !may(scope))
}
