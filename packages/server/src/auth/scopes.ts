/**
 * Permissions of an API key. `admin` covers only the operator's API, and does not include the other
 * scopes.
 */
export const scopes = ['tasks:write', 'tasks:read', 'webhooks:write', 'admin'] as const
export type Scope = (typeof scopes)[number]

export function isScope(text: unknown): text is Scope {
  return scopes.some((scope) => scope === text)
}
