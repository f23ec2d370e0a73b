/**
 * Permissions of a key. `admin` covers only the operator's interface and includes no other scope.
 */
export const scopes = ['tasks:write', 'tasks:read', 'webhooks:write', 'admin'] as const
export type Scope = (typeof scopes)[number]

export function isScope(text: unknown): text is Scope {
  return scopes.some((scope) => scope === text)
}
