import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
let tree: string

// Applies the repository's import rules to files that violate them on purpose, to detect rules that
// no longer match their folder.
beforeAll(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'framegate-boundaries-'))
  cpSync(path.join(root, '.oxlintrc.json'), path.join(tree, '.oxlintrc.json'))
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

function write(file: string, source: string): void {
  const absolutePath = path.join(tree, file)
  mkdirSync(path.dirname(absolutePath), { recursive: true })
  writeFileSync(absolutePath, source)
}

/** Returns the linter's messages about these files or folders, one per line. */
function lintAll(...files: string[]): string {
  const { stdout } = spawnSync(path.join(root, 'node_modules/.bin/oxlint'), ['--format=unix', ...files], {
    cwd: tree,
    encoding: 'utf8',
  })
  return stdout
}

function lint(file: string, source: string): string {
  write(file, source)
  return lintAll(file)
}

describe('imports between folders of the server', () => {
  const refusedImports = [
    ['http/violating.ts', '../dispatch/dispatcher.ts'],
    ['http/violating.ts', '../db/sqlite/sqlite-store.ts'],
    ['dispatch/violating.ts', '../http/app.ts'],
    ['tasks/violating.ts', '../http/app.ts'],
    ['drivers/embedded/violating.ts', '../../db/store.ts'],
    ['media/violating.ts', '../db/store.ts'],
    ['media/violating.ts', '../assets/assets.ts'],
    ['watermark/violating.ts', '../drivers/driver.ts'],
    ['assets/violating.ts', '../tasks/submit-task.ts'],
    ['routing/violating.ts', '../dispatch/dispatcher.ts'],
    ['drivers/fal/violating.ts', '../../routing/routes.ts'],
    ['drivers/fal/violating.ts', '../../telemetry/telemetry.ts'],
    ['drivers/fal/violating.ts', '../../catalogue/catalogue.ts'],
    ['identity/violating.ts', '../db/store.ts'],
    ['tasks/violating.ts', '../maintenance/back-up.ts'],
    ['lib/violating.ts', '../config/config.ts'],
    ['catalogue/families/violating.ts', '../../tasks/submit-task.ts'],
    ['brands/violating.ts', '../auth/api-keys.ts'],
    ['models/violating.ts', '../routing/routes.ts'],
    ['telemetry/violating.ts', '../dispatch/dispatcher.ts'],
    ['db/sqlite/violating.ts', '../../http/app.ts'],
  ].map(([file = '', imported = ''], index) => ({
    file: `packages/server/src/${file.replace('violating', `violating-${index}`)}`,
    imported,
  }))
  let messages: string[]
  // All files are checked in one run of the linter, because each run takes 0.2 s of CPU time.
  beforeAll(() => {
    for (const { file, imported } of refusedImports) write(file, `import { x } from '${imported}'\n\nexport const y = x\n`)
    messages = lintAll('packages/server/src').split('\n')
  })

  it.each(refusedImports)('$file may not import $imported', ({ file }) => {
    const fileMessages = messages.filter((message) => message.startsWith(`${file}:`))
    expect(fileMessages.join('\n')).toContain('no-restricted-imports')
  })
})

it.each(['@framegate/server', '../../server/src/lib/semaphore.ts'])('the renderer may not import %s', (imported) => {
  const source = `import { x } from '${imported}'\n\nexport const y = x\n`
  expect(lint('packages/renderer/src/violating.ts', source)).toContain('no-restricted-imports')
})

it('the renderer may import the contract', () => {
  const source = "import { x } from '@framegate/contract'\n\nexport const y = x\n"
  expect(lint('packages/renderer/src/fine.ts', source)).not.toContain('no-restricted-imports')
})

it.each(['@framegate/contract', 'node:buffer'])('the SDK may not import %s, except in save-file.ts', (imported) => {
  const source = `import { x } from '${imported}'\n\nexport const y = x\n`
  expect(lint('packages/sdk/src/violating.ts', source)).toContain('no-restricted-imports')
  expect(lint('packages/sdk/src/save-file.ts', source)).not.toContain('no-restricted-imports')
})

it('http/ may import tasks/', () => {
  expect(
    lint('packages/server/src/http/fine.ts', "import { x } from '../tasks/submit-task.ts'\n\nexport const y = x\n"),
  ).not.toContain('no-restricted-imports')
})

it('imports that form a cycle are rejected, even if they import only types', () => {
  lint('packages/server/src/tasks/first.ts', "import type { Second } from './second.ts'\n\nexport type First = Second[]\n")
  const second = "import type { First } from './first.ts'\n\nexport type Second = First | null\n"
  expect(lint('packages/server/src/tasks/second.ts', second)).toContain('no-cycle')
})

it.each([
  ['drivers/fine.ts', '../catalogue/generation-parameters.ts'],
  ['telemetry/fine.ts', '../drivers/upstream/upstream-exchange.ts'],
])('%s may import %s', (file, imported) => {
  const source = `import type { X } from '${imported}'\n\nexport type Y = X\n`
  expect(lint(`packages/server/src/${file}`, source)).not.toContain('no-restricted-imports')
})
