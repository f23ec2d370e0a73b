import type { IsAllowedHost } from '../catalogue/reference-violations.ts'
import { createDialRules, isForbiddenWithoutLookup } from '../lib/guarded-fetch/dial-rules.ts'

export function createIsAllowedHost(allowHosts: readonly string[]): IsAllowedHost {
  const rules = createDialRules(allowHosts)
  return (host) => !isForbiddenWithoutLookup(host, null, rules)
}
