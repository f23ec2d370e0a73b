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

if (Number.parseInt(process.versions.node, 10) >= nodeMajorMin) {
  await runHere()
} else {
  const installedNode = findInstalledNode()
  if (installedNode === null) refuse()
  else runUnder(installedNode)
}

async function runHere() {
  silenceExperimentalWarnings()
  // Keeps compiled code in the system's folder for temporary files: the second start takes half the time.
  module.enableCompileCache()
  const { main } = await import('../src/main.ts')
  process.exitCode = await main(process.argv.slice(2))
}

// Early releases of Node 24 call these two experimental at every start; every other warning stays visible.
function silenceExperimentalWarnings() {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = function (warning, ...rest) {
    const kind = typeof rest[0] === 'string' ? rest[0] : rest[0]?.type
    if (kind === 'ExperimentalWarning' && /SQLite|Type Stripping/.test(String(warning))) return
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
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
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
