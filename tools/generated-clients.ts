import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { createPythonEnvironment } from './client-trials/python-environment.ts'
import { runStep } from './client-trials/run-step.ts'
import { startService } from './client-trials/start-service.ts'

/**
 * Generates clients from the OpenAPI document of a started service with several generators,
 * compiles each, and runs a program that uses it. The program requests models, a quote, tasks in
 * pages, an upload, an import, CSV (in Java: the balance), an account, a key and a grant.
 *
 *   npm run generated-clients [-- oapi-codegen openapi-generator]
 *
 * A generator whose programming language is not installed is reported and skipped. In CI this is an
 * error.
 */
interface Generator {
  name: string
  needs: Requirement[]
  /** Generates the client, compiles it and runs the program, all in this new folder. */
  run: (folder: string, settings: Settings) => Promise<void>
}

interface Requirement {
  /** Name of the program that must be installed, or the command that installs what is needed. */
  program: string
  isInstalled: () => boolean
}

interface Settings {
  document: string
  environment: Record<string, string>
}

const sourceFolder = fileURLToPath(new URL('./generated-clients', import.meta.url))
const modules = path.join(sourceFolder, 'node_modules')
/** The project's native compiler. The compilers of the generators would take more CPU time. */
const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
const installedProgram = (name: string, versionArgument: string): Requirement => ({
  program: name,
  isInstalled: () => spawnSync(name, [versionArgument]).status === 0,
})
const npmGenerators: Requirement = {
  program: 'npm ci --ignore-scripts --prefix tools/generated-clients',
  isInstalled: () => existsSync(modules),
}
/**
 * JVM options for processes that run for only a few seconds and gain nothing from optimized code.
 */
const shortLivedJava = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
/** A PNG of one pixel. */
const imageBase64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const generators: Generator[] = [
  typescriptGenerator('openapi-typescript', 'openapi-fetch', ({ document }) => [
    'openapi-typescript/bin/cli.js',
    document,
    '--default-non-nullable=false',
    '-o',
    'openapi-typescript/schema.ts',
  ]),
  typescriptGenerator('hey-api', 'hey-api', ({ document }) => [
    '@hey-api/openapi-ts/bin/run.js',
    '-i',
    document,
    '-o',
    'hey-api',
  ]),
  typescriptGenerator('orval', 'orval', () => ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs']),
  {
    name: 'openapi-python-client',
    needs: [installedProgram('python3', '--version')],
    async run(folder, { document, environment }) {
      cpSync(path.join(sourceFolder, 'python'), folder, { recursive: true })
      const python = await createPythonEnvironment(folder, ['-r', 'requirements.txt'])
      const generator = path.join(folder, 'venv/bin/openapi-python-client')
      await runStep(folder, {}, generator, [
        'generate',
        '--path',
        document,
        '--meta',
        'none',
        '--output-path',
        'framegate_client',
      ])
      await runStep(folder, environment, python, ['scenario.py'])
    },
  },
  {
    name: 'oapi-codegen',
    needs: [installedProgram('go', 'version')],
    async run(folder, { document, environment }) {
      cpSync(path.join(sourceFolder, 'go'), folder, { recursive: true })
      await runStep(folder, {}, 'mkdir', ['framegate'])
      await runStep(folder, {}, 'go', ['tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', document])
      await runStep(folder, environment, 'go', ['run', '.'])
    },
  },
  {
    name: 'openapi-generator',
    needs: [installedProgram('javac', '-version'), installedProgram('mvn', '--version')],
    async run(folder, { document, environment }) {
      cpSync(path.join(sourceFolder, 'java'), folder, { recursive: true })
      await runStep(folder, { ...environment, MAVEN_OPTS: shortLivedJava }, 'mvn', [
        '-q',
        '-B',
        `-Ddocument=${document}`,
        'compile',
        'exec:java',
      ])
    },
  },
]

/**
 * Describes a generator from npm. Its client is type-checked, and bundled because its imports have
 * no file extensions.
 */
function typescriptGenerator(name: string, scenario: string, argumentsOf: (settings: Settings) => string[]): Generator {
  return {
    name,
    needs: [npmGenerators],
    async run(folder, settings) {
      cpSync(path.join(sourceFolder, 'typescript', 'check.ts'), path.join(folder, 'check.ts'))
      for (const copied of ['tsconfig.json', 'orval.config.mjs', `${scenario}.ts`]) {
        cpSync(path.join(sourceFolder, 'typescript', copied), path.join(folder, copied))
      }
      symlinkSync(modules, path.join(folder, 'node_modules'))
      const [file = '', ...generatorArguments] = argumentsOf(settings)
      const environment = { ...settings.environment, FRAMEGATE_DOCUMENT: settings.document }
      await runStep(folder, environment, process.execPath, [path.join(modules, file), ...generatorArguments])
      await runStep(folder, {}, process.execPath, [compiler, '-p', '.'])
      const bundle = await rolldown({ input: path.join(folder, `${scenario}.ts`), platform: 'node' })
      await bundle.write({ file: path.join(folder, 'bundle.mjs'), format: 'esm' })
      await runStep(folder, environment, process.execPath, ['bundle.mjs'])
    },
  }
}

async function tryGenerator(generator: Generator, folder: string, settings: Settings): Promise<boolean> {
  const { name, needs } = generator
  const missing = needs.filter(({ isInstalled }) => !isInstalled()).map(({ program }) => program)
  if (missing.length > 0) {
    process.stdout.write(`NOT TRIED: ${name} needs ${missing.join(' and ')}.\n`)
    return process.env['CI'] === undefined
  }
  const startedMs = performance.now()
  try {
    await generator.run(mkdtempSync(path.join(folder, `${name}-`)), {
      ...settings,
      environment: { ...settings.environment, FRAMEGATE_ACCOUNT_NAME: name },
    })
  } catch (error) {
    process.stdout.write(`FAILED: ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    return false
  }
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  process.stdout.write(`${name}: a client was generated, compiled and used (${seconds} s)\n`)
  return true
}

const selectedNames = process.argv.slice(2)
const folder = mkdtempSync(path.join(tmpdir(), 'framegate-generated-clients-'))
let hasPassed = true
{
  await using service = await startService(folder)
  const document = path.join(folder, 'openapi.json')
  writeFileSync(document, await (await fetch(`${service.baseUrl}/openapi.json`)).text())
  writeFileSync(path.join(folder, 'picture.png'), Buffer.from(imageBase64, 'base64'))
  const environment = {
    FRAMEGATE_URL: service.baseUrl,
    FRAMEGATE_API_KEY: service.apiKey,
    FRAMEGATE_IMAGE: path.join(folder, 'picture.png'),
  }
  // The generators run one after the other, because each client lists the two tasks that it created
  // last.
  for (const generator of generators) {
    if (selectedNames.length > 0 && !selectedNames.includes(generator.name)) continue
    hasPassed = (await tryGenerator(generator, folder, { document, environment })) && hasPassed
  }
  if (!hasPassed) process.stdout.write(service.log())
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = hasPassed ? 0 : 1
