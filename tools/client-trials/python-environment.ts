import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { runStep } from './run-step.ts'

/**
 * Creates a virtual environment `venv` in the folder, installs packages into it, and returns its Python. If this
 * machine has pip, its pip installs the packages: a pip of its own would take three seconds of CPU time.
 */
export async function createPythonEnvironment(folder: string, packages: readonly string[]): Promise<string> {
  const python = path.join(folder, 'venv/bin/python')
  const hasPip = spawnSync('python3', ['-m', 'pip', '--python', 'python3', '--version']).status === 0
  await runStep(folder, {}, 'python3', ['-m', 'venv', ...(hasPip ? ['--without-pip'] : []), 'venv'])
  const pip = hasPip ? ['python3', '-m', 'pip', '--python', python] : [python, '-m', 'pip']
  const [program = '', ...before] = pip
  // Most modules are never imported, so they are not compiled in advance.
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile']
  await runStep(folder, {}, program, [...before, 'install', ...options, ...packages])
  return python
}
