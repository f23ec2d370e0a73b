#!/usr/bin/env node
/**
 * Starts the command line under a Node that can run it. Framegate is TypeScript run by Node 24; this file is plain
 * JavaScript, so that an older Node can read it and hand over to the one that npm installed beside Framegate.
 */
import { spawn } from 'node:child_process'
import module from 'node:module'
import { constants } from 'node:os'

const nodeMajorMin = 24
const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Says glibc to give each large block back at once instead of keeping it for the next one of another size. Without it a
 * service that renders films grows to nearly twice the memory. It is read when a program starts, so it has to stand there before.
 */
const allocatorSetting = { MALLOC_MMAP_THRESHOLD_: '131072' }

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  silenceExperimentalWarnings()
  startAgainWithAllocatorSetting()
  await runHere()
} else {
  const installedNode = findInstalledNode()
  if (installedNode === null) refuse()
  else runUnder(installedNode)
}

async function runHere() {
  // Keeps compiled code in the system's folder for temporary files: the second start takes half the time.
  module.enableCompileCache()
  const { main } = await import('../src/main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

// Replaces this program by itself: the same process, once more, with another environment.
function startAgainWithAllocatorSetting() {
  if (process.platform !== 'linux' || 'MALLOC_MMAP_THRESHOLD_' in process.env || process.execve === undefined) return
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...process.env, ...allocatorSetting })
}

// Early releases of Node 24 call these three experimental at every start; every other warning stays visible.
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

// A signal may reach both this process and the other one (Ctrl-C goes to the whole group); `main` takes the two as one.
function runUnder(node) {
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...allocatorSetting, ...process.env },
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
    `Framegate needs Node ${nodeMajorMin} or later; this is Node ${process.versions.node}, and no newer one is installed ` +
      'beside Framegate. Install it from https://nodejs.org and try again.\n',
  )
  process.exitCode = 1
}
