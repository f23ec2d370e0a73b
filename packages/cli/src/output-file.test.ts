import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { outputPath, outputPlace } from './output-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'framegate-output-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const result = { prompt: 'A red kite, over a WHEAT field!', id: 'task_0123456789abcdef', type: 'video/mp4' }

it('names a file after its prompt and task when only a folder is given', () => {
  expect(outputPath(outputPlace(folder, false), result)).toBe(join(folder, 'a-red-kite-over-a-wheat-field-89abcdef.mp4'))
  expect(outputPath(outputPlace(undefined, false), { ...result, type: 'image/png' })).toBe(
    'a-red-kite-over-a-wheat-field-89abcdef.png',
  )
})

it.each([
  ['../../etc/passwd', 'etc-passwd-89abcdef.mp4'],
  ['  ***  ', '89abcdef.mp4'],
  ['Ein Löwe 在海边 🦁', 'ein-löwe-在海边-89abcdef.mp4'],
  ['x'.repeat(500), `${'x'.repeat(48)}-89abcdef.mp4`],
])('makes a plain file name of %j', (prompt, name) => {
  expect(outputPath(outputPlace(folder, false), { ...result, prompt })).toBe(join(folder, name))
})

it('keeps the name that was given', () => {
  expect(outputPath(outputPlace(join(folder, 'kite.film'), false), result)).toBe(join(folder, 'kite.film'))
})

it('refuses a file that is already there, unless it may overwrite it', () => {
  const path = join(folder, 'kite.mp4')
  writeFileSync(path, '')
  expect(() => outputPlace(path, false)).toThrow(`${path} is already there`)
  expect(outputPath(outputPlace(path, true), result)).toBe(path)
})

it('refuses a folder that does not exist, or is none', () => {
  expect(() => outputPlace(join(folder, 'absent/kite.mp4'), false)).toThrow('there is no such folder')
  writeFileSync(join(folder, 'file'), '')
  expect(() => outputPlace(join(folder, 'file/kite.mp4'), false)).toThrow('cannot be written to')
})
