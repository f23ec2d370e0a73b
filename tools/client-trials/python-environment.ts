import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { runStep } from './run-step.ts'

/**
 * Creates a virtual environment `venv` in the folder, installs packages into it, and returns its Python. If this
 * machine has pip, its pip installs the packages: a pip of its own would take three seconds of CPU time.
 */
export async function createPythonEnvironment(folder: string, packages: readonly string[]): Promise<string> {
  const python = path.join(folder, 'venv/bin/python')
  await runStep(folder, {}, 'python3', ['-m', 'venv', ...(hasPip() ? ['--without-pip'] : []), 'venv'])
  await installPythonPackages(folder, python, packages, python)
  return python
}

/**
 * Installs packages into the environment of a Python, with the pip of this machine or else the pip of `pythonWithPip`.
 * Files that `packages` names are relative to `folder`.
 */
export async function installPythonPackages(
  folder: string,
  python: string,
  packages: readonly string[],
  pythonWithPip: string,
): Promise<void> {
  const pip = ['-m', 'pip', '--python', python, 'install']
  // Most modules are never imported, so they are not compiled in advance.
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile']
  await runStep(folder, {}, hasPip() ? 'python3' : pythonWithPip, [...pip, ...options, ...packages])
}

/** Whether this machine has a pip that installs into other environments. */
function hasPip(): boolean {
  return spawnSync('python3', ['-m', 'pip', '--python', 'python3', '--version']).status === 0
}
