import { afterAll, beforeAll, expect, it } from 'vitest'
import { runFramegate } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

it('framegate enhance prints the text alone on stdout', async () => {
  const { exitCode, stdout } = await service.run(['enhance', 'a fox', '--for', 'video', '--style', 'ink'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^a fox in an old forest, .*; the camera .*\. In ink style\.\n$/)
})

it('framegate enhance --json prints the task, with the text and its engine', async () => {
  const { exitCode, stdout } = await service.run(['enhance', 'a fox', '--json'])
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ object: 'text', status: 'completed', engine: 'embedded', amount: 0.001 })
})

it('framegate enhance prints an error to stderr alone', async () => {
  const refused = await service.run(['enhance', 'a fox', '--style', 's'.repeat(101)])
  expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
  expect(refused.stderr).toContain('style')
})

it('framegate generate saves the result of a text model as a .txt file', async () => {
  const { exitCode, stdout } = await service.run([
    'generate',
    'a fox',
    '--model',
    'text-storyboard',
    '--param',
    'shots=2',
    '-o',
    'board.md',
  ])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/board\.md\.txt\n$/)
})

it('framegate enhance starts a temporary server if no server is named', async () => {
  const { exitCode, stdout, stderr } = await runFramegate(['enhance', 'a fox'], { cwd: service.cwd })
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^a fox in /)
  expect(stderr).toContain('its own server')
}, 60_000)
