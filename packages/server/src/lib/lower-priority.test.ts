import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { expect, it } from 'vitest'
import { lowerPriority } from './lower-priority.ts'

it.runIf(process.platform === 'linux').each([
  [5, 15],
  [12, 19],
  [19, 19],
])('lowerPriority of a process with niceness %i sets the niceness to %i', async (niceness, loweredNiceness) => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  setPriority(pid, niceness)
  lowerPriority(pid)
  const nicenessAfter = getPriority(pid)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(nicenessAfter).toBe(loweredNiceness)
})
