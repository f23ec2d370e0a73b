import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

const audit = fileURLToPath(new URL('./audit.ts', import.meta.url))
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-audit-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the audit with a fake npm that prints this output. */
function auditWith(output: string, ...options: string[]): { status: number | null; stdout: string } {
  writeFileSync(path.join(folder, 'npm'), `#!/bin/sh\ncat <<'END'\n${output}\nEND\nexit 1\n`)
  chmodSync(path.join(folder, 'npm'), 0o755)
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env['PATH']}` }
  return spawnSync(process.execPath, [audit, ...options], { encoding: 'utf8', env })
}

const clean = { vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } }
const vulnerable = {
  vulnerabilities: { leftpad: { severity: 'high', range: '<2.0.0', fixAvailable: false } },
  metadata: { vulnerabilities: { total: 1 } },
}

it('the audit passes when no dependency has a known vulnerability', () => {
  expect(auditWith(JSON.stringify(clean), '--required')).toMatchObject({
    status: 0,
    stdout: '0 dependencies with known vulnerabilities\n',
  })
})

it('the audit fails when a dependency has a known vulnerability', () => {
  const { status, stdout } = auditWith(JSON.stringify(vulnerable))
  expect([status, stdout]).toEqual([1, 'leftpad <2.0.0: high, no fix yet\n1 dependencies with known vulnerabilities\n'])
})

it.each([JSON.stringify({ message: '405 Method Not Allowed' }), '', 'no JSON'])(
  'the audit reports npm output %j as "not audited", and fails with --required',
  (output) => {
    expect(auditWith(output)).toMatchObject({ status: 0, stdout: expect.stringContaining('NOT AUDITED') })
    expect(auditWith(output, '--required').status).toBe(1)
  },
)
