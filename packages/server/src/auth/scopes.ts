/** What a key may do. `admin` is for the operator's interface and includes nothing else. */
export const scopes = ['tasks:write', 'tasks:read', 'admin'] as const
export type Scope = (typeof scopes)[number]

export function isScope(text: unknown): text is Scope {
  return scopes.some((scope) => scope === text)
}
