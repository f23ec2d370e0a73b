import type { StartedServer } from '../started-server.ts'

/** Returns the key of a new account that has credits and is not an operator. */
export async function newClientKey(server: StartedServer): Promise<string> {
  const postJson = async (path: string, body: object): Promise<Record<string, string>> =>
    (await (await server.request('POST', path, body)).json()) as Record<string, string>
  const account = await postJson('/admin/v1/accounts', { name: 'a client' })
  await postJson(`/admin/v1/accounts/${account['id']}/grants`, { amount: 1000, note: 'to begin with' })
  const issued = await postJson(`/admin/v1/accounts/${account['id']}/keys`, {
    name: 'a client',
    scopes: ['tasks:read', 'tasks:write'],
  })
  return issued['key'] ?? ''
}
