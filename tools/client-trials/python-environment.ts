import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { runStep } from './run-step.ts'

/**
 * Creates a virtual environment `venv` in the folder, installs packages into it, and returns its
 * Python. Installing pip into it takes three seconds of CPU time, so that is only done if this
 * machine has neither uv nor pip.
 */
export async function createPythonEnvironment(folder: string, packages: readonly string[]): Promise<string> {
  const python = path.join(folder, 'venv/bin/python')
  const needsPip = !hasUv() && !hasPip()
  await runStep(folder, {}, 'python3', ['-m', 'venv', ...(needsPip ? [] : ['--without-pip']), 'venv'])
  await installPythonPackages(folder, python, packages, python)
  return python
}

/**
 * Installs packages into a Python environment. Uses the first of these that is installed: uv, which
 * takes a tenth of the CPU time of pip; this machine's pip; the pip of `pythonWithPip`. File names
 * in `packages` are relative to `folder`.
 */
export async function installPythonPackages(
  folder: string,
  python: string,
  packages: readonly string[],
  pythonWithPip: string,
): Promise<void> {
  if (hasUv()) {
    await runStep(folder, {}, 'uv', ['pip', 'install', '--quiet', '--python', python, ...packages])
    return
  }
  const pip = ['-m', 'pip', '--python', python, 'install']
  // Most modules are never imported, so they are not compiled in advance.
  const options = ['--quiet', '--disable-pip-version-check', '--no-compile']
  await runStep(folder, {}, hasPip() ? 'python3' : pythonWithPip, [...pip, ...options, ...packages])
}

function hasUv(): boolean {
  return spawnSync('uv', ['--version']).status === 0
}

/** Whether this machine has a pip that installs into other environments. */
function hasPip(): boolean {
  return spawnSync('python3', ['-m', 'pip', '--python', 'python3', '--version']).status === 0
}
