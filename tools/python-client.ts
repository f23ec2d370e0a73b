import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtLauncher, ensureBuiltProgram } from './build/built-program.ts'
import { createPythonEnvironment, installPythonPackages } from './client-trials/python-environment.ts'
import { runStep } from './client-trials/run-step.ts'
import { startService } from './client-trials/start-service.ts'

/**
 * Checks and tests the Python client: types (mypy and pyright), lint, format, and its tests against
 * a started service. Builds the wheel and the source distribution. Tries the wheel in empty
 * environments of the oldest and the newest installed version of Python. With `--each-python`, it
 * tries every installed version.
 *
 *   npm run test:python [-- --each-python]
 *
 * The first run installs the tools from PyPI in `.tmp/python-client`.
 */
const repository = fileURLToPath(new URL('..', import.meta.url))
const packageFolder = path.join(repository, 'packages/python')
const toolsFolder = path.join(repository, '.tmp/python-client')
const bin = path.join(toolsFolder, 'venv/bin')

await installTools()
await ensureBuiltProgram()
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-python-'))
try {
  await runTimed('types', async () => {
    await inPackage(path.join(bin, 'mypy'), ['--cache-dir', path.join(toolsFolder, 'mypy')])
    const pyright = fileURLToPath(import.meta.resolve('pyright/index.js'))
    await inPackage(process.execPath, [pyright, '--pythonpath', path.join(bin, 'python'), '--warnings'])
  })
  await runTimed('lint and format', async () => {
    const cache = ['--cache-dir', path.join(toolsFolder, 'ruff')]
    await inPackage(path.join(bin, 'ruff'), ['check', '.', '../../examples', ...cache])
    await inPackage(path.join(bin, 'ruff'), ['format', '--check', '.', '../../examples', ...cache])
  })
  await runTimed('tests', async () => {
    const environment = { FRAMEGATE_TEST_NODE: process.execPath, FRAMEGATE_TEST_LAUNCHER: builtLauncher }
    const options = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--durations=5']
    process.stdout.write(await inPackage(path.join(bin, 'python'), options, environment))
  })
  await runTimed('wheel', async () => {
    await inPackage(path.join(bin, 'python'), ['-m', 'build', '--no-isolation', '--outdir', folder])
    await using service = await startService(folder, { FRAMEGATE_ALLOW_HOSTS: '127.0.0.1' })
    const environment = { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey }
    for (const python of selectPythons(installedPythons())) await tryWheel(python, environment)
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Installs the exact versions of `requirements-dev.txt`, unless an earlier run did. */
async function installTools(): Promise<void> {
  const file = path.join(packageFolder, 'requirements-dev.txt')
  const stamp = path.join(toolsFolder, 'installed.txt')
  const requirements = readFileSync(file, 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === requirements) return
  rmSync(toolsFolder, { recursive: true, force: true })
  mkdirSync(toolsFolder, { recursive: true })
  await runTimed('tools', async () => {
    await createPythonEnvironment(toolsFolder, ['--requirement', file])
  })
  writeFileSync(stamp, requirements)
}

/** Installs the wheel in an empty environment, and generates an image with it. */
async function tryWheel(python: string, environment: Record<string, string>): Promise<void> {
  const emptyFolder = mkdtempSync(path.join(folder, 'empty-'))
  // Installing pip in the environment would take most of the time.
  await runStep(emptyFolder, {}, python, ['-m', 'venv', '--without-pip', 'venv'])
  const venvPython = path.join(emptyFolder, 'venv/bin/python')
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new Error('the build has produced no wheel')
  await installPythonPackages(emptyFolder, venvPython, [path.join(folder, wheel)], path.join(bin, 'python'))
  const script = path.join(packageFolder, 'tools/try_wheel.py')
  process.stdout.write(await runStep(emptyFolder, environment, venvPython, ['-W', 'error', script]))
}

/**
 * Returns one Python executable for each supported version on this machine, oldest version first.
 * If none is found, returns `python3`.
 */
function installedPythons(): string[] {
  const versions = ['3.10', '3.11', '3.12', '3.13', '3.14', '3.15']
  const pyenv = path.join(process.env['PYENV_ROOT'] ?? path.join(homedir(), '.pyenv'), 'versions')
  const folders = [
    ...(existsSync(pyenv) ? readdirSync(pyenv).map((name) => path.join(pyenv, name, 'bin')) : []),
    ...(process.env['PATH'] ?? '').split(path.delimiter).filter((entry) => !entry.endsWith('/shims')),
  ]
  const installed = versions.flatMap((version) => {
    const programs = folders.map((entry) => path.join(entry, `python${version}`)).filter((program) => existsSync(program))
    return programs.slice(0, 1)
  })
  return installed.length > 0 ? installed : ['python3']
}

function selectPythons(pythons: readonly string[]): readonly string[] {
  const isEach = process.argv.includes('--each-python') || pythons.length < 3
  return isEach ? pythons : [...pythons.slice(0, 1), ...pythons.slice(-1)]
}

async function inPackage(command: string, args: string[], environment: Record<string, string> = {}): Promise<string> {
  return runStep(packageFolder, { PYTHONDONTWRITEBYTECODE: '1', ...environment }, command, args)
}

async function runTimed(name: string, run: () => Promise<void>): Promise<void> {
  const startedMs = performance.now()
  await run()
  process.stdout.write(`Python client, ${name}: passed (${Math.round((performance.now() - startedMs) / 1000)} s)\n`)
}
