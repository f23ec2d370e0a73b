import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfigFile } from './config-file.ts'
import { readBoundedFile } from './read-bounded-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-bounded-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a file up to the size limit is read completely, and a larger one is rejected, even if its reported size is wrong', () => {
  const file = path.join(folder, 'a')
  writeFileSync(file, 'x'.repeat(10))
  expect(readBoundedFile(file, 10)).toBe('x'.repeat(10))
  appendFileSync(file, 'y')
  expect(() => readBoundedFile(file, 10)).toThrow('is larger than 10 bytes')
  // The kernel reports the size 0 for files of /proc, as if they grew during the read.
  expect(readBoundedFile('/proc/self/status', 100_000)).toMatch(/^Name:/)
  expect(() => readBoundedFile('/proc/self/status', 100)).toThrow('is larger than 100 bytes')
})

it('the configuration is read from a pipe at start-up', async () => {
  const pipe = path.join(folder, 'framegate.yaml')
  execFileSync('mkfifo', [pipe])
  const writer = spawn('sh', ['-c', `echo 'port: 1234' > '${pipe}'`])
  const violations: string[] = []
  const { settings } = readConfigFile({ env: {}, cwd: folder, configPath: pipe }, violations)
  await once(writer, 'exit')
  expect([violations, settings['FRAMEGATE_PORT']?.text]).toEqual([[], '1234'])
})
