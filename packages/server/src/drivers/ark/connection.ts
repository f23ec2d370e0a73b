import type { ConnectedTarget, UpstreamTools } from '../upstream/upstream-driver.ts'

export interface ArkConnection {
  target: ConnectedTarget
  tools: UpstreamTools
  headers: Readonly<Record<string, string>>
}

export function connectionTo(target: ConnectedTarget, tools: UpstreamTools): ArkConnection {
  return { target, tools, headers: { authorization: `Bearer ${target.credential}` } }
}
