import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildAiSdkProviderPackage } from '../build/build-library-package.ts'
import type { Snippet } from './read-snippets.ts'

/** Returns the file name of a program: the one on its page, or one derived from its position. */
export function programName({ place, language, fileName }: Pick<Snippet, 'place' | 'language' | 'fileName'>): string {
  return fileName ?? `${place.replaceAll(/\W/g, '-')}.${language}`
}

/**
 * Links the type packages that programs are compiled with, and the third-party clients that they
 * import, into the project.
 */
export function installPackages(project: string, repository: string): void {
  for (const scope of ['@types', '@ai-sdk']) mkdirSync(path.join(project, 'node_modules', scope), { recursive: true })
  for (const name of ['@types/node', 'undici-types', 'openai', 'ai', '@ai-sdk/provider']) {
    symlinkSync(path.join(repository, 'node_modules', name), path.join(project, 'node_modules', name))
  }
}

/** Builds the provider for the AI SDK into the project, beside the SDK. */
export function installProvider(project: string): void {
  const scope = path.join(project, 'node_modules/@framegate')
  buildAiSdkProviderPackage(path.join(scope, 'ai-sdk-provider'), path.join(scope, 'sdk'))
}

const compilerOptions = {
  module: 'nodenext',
  target: 'es2022',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowJs: true,
  checkJs: true,
  // Declarations of packages are not checked here. The SDK's tests check its own.
  skipLibCheck: true,
  noEmit: true,
}

/**
 * Compiles the programs among these snippets at maximum strictness, and returns the errors with
 * their positions on the pages.
 */
export function checkPrograms(project: string, repository: string, snippets: readonly Snippet[]): string[] {
  const folder = path.join(project, 'compiled')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const places = new Map<string, string>()
  for (const snippet of snippets) {
    if (!['ts', 'js'].includes(snippet.language) || snippet.reasonNotRun !== null) continue
    const name = programName({ ...snippet, fileName: null })
    writeFileSync(path.join(folder, name), `${snippet.text}\n`)
    places.set(name, snippet.place)
  }
  if (places.size === 0) return []
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [...places.keys()] }))
  const compiler = path.join(repository, 'node_modules/typescript/bin/tsc')
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
  if (status !== 0 && errors.length === 0) throw new Error(`the compiler ended with ${status}: ${stdout}`)
  return errors.map((line) => line.replace(/^([^(]+)/, (name) => places.get(name) ?? name))
}
