#!/usr/bin/env node
/**
 * Starts the command line with a Node version that can run it. Framegate is TypeScript and needs
 * Node 24. This file is plain JavaScript, so that an older Node can read it and start the Node that
 * npm has installed with Framegate.
 */
import { spawn } from 'node:child_process'
import module from 'node:module'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'

const nodeMajorMin = 24
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Default values of variables that libraries read at the start of a process:
 *
 * - The threshold makes glibc return each large memory block to the system as soon as it is freed.
 *   Without it, a service that renders videos needs nearly twice the memory.
 * - The number of file system calls that Node makes at a time. Most of them wait for a disk, and
 *   with Node's default of 4, results that are synced to a slow disk would wait for each other.
 */
const processSettings = { MALLOC_MMAP_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '16' }

/**
 * Commands whose process may render. Other commands start in three quarters of the CPU time without
 * these settings.
 */
const renderingCommands = new Set(['serve', 'generate', 'mcp', 'doctor'])

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  silenceExperimentalWarnings()
  startAgainWithSettings()
  await runHere()
} else {
  const installedNode = findInstalledNode()
  if (installedNode === null) refuse()
  else runUnder(installedNode)
}

async function runHere() {
  // Caches compiled code in the folder for temporary files, which halves the time of the next
  // start. Threads and child processes find the folder in the environment, unless the cache is
  // disabled there.
  const { directory } = module.enableCompileCache()
  if (directory !== undefined) process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), 'node-compile-cache')
  const { main } = await import('../src/main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

// Executes this program again in the same process, with the settings in its environment.
function startAgainWithSettings() {
  if (!renderingCommands.has(process.argv[2])) return
  if (process.platform !== 'linux' || 'MALLOC_MMAP_THRESHOLD_' in process.env || process.execve === undefined) return
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...processSettings, ...process.env })
}

// Hides three warnings that early releases of Node 24 print at every start. Other warnings stay
// visible.
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = function (warning, ...rest) {
    const kind = typeof rest[0] === 'string' ? rest[0] : rest[0]?.type
    if (kind === 'ExperimentalWarning' && /SQLite|Type Stripping|execve/.test(String(warning))) return
    emitWarning(warning, ...rest)
  }
}

function findInstalledNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  try {
    return module.createRequire(import.meta.url).resolve(`node-${system}-${process.arch}/${file}`)
  } catch {
    return null
  }
}

// The child may receive a signal twice: Ctrl-C is sent to both processes, and this process forwards
// it. `main` treats both as one.
function runUnder(node) {
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...processSettings, ...process.env },
  })
  const forward = (signal) => child.kill(signal)
  for (const signal of forwardedSignals) process.on(signal, forward)
  child.on('error', refuse)
  child.on('exit', (code, signal) => {
    for (const name of forwardedSignals) process.off(name, forward)
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

function refuse() {
  process.stderr.write(
    `Framegate needs Node ${nodeMajorMin} or later. This is Node ${process.versions.node}, and npm has installed no newer ` +
      'version with Framegate. Install Node from https://nodejs.org and try again.\n',
  )
  process.exitCode = 1
}
