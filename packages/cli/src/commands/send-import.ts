import type { AdminModelImport } from '@framegate/contract'
import type { ServerSession } from '../connection/call-server.ts'
import type { JsonOptions } from '../operation/call-and-show.ts'
import type { ImportPrice } from '../operation/import-price.ts'

export interface ImportOptions extends JsonOptions {
  as?: string
  upstream?: string
  object?: 'image' | 'video' | 'chat'
  price?: ImportPrice
  editorFile?: string
  update?: true
  dryRun?: true
  yes?: true
}

export function sendImport({ client, call }: ServerSession, body: object): Promise<AdminModelImport> {
  return client.request<AdminModelImport>({ method: 'POST', path: '/admin/v1/models/import', body }, call)
}

export function describeImport({ model, routes, tests }: AdminModelImport): string {
  const lines = [`Model ${String(model?.['id'])} is saved, with ${routes.length} ${routes.length === 1 ? 'route' : 'routes'}.`]
  for (const { route, outcome, message } of tests) {
    lines.push(`Test of the route ${route}: ${outcome.replaceAll('_', ' ')}${message === null ? '.' : `. ${message}`}`)
  }
  return lines.join('\n')
}

export function hasFailedTest({ tests }: AdminModelImport): boolean {
  return tests.some(({ outcome }) => outcome === 'failed' || outcome === 'set_aside')
}
