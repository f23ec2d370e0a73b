import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type * as Analyzer from '@arethetypeswrong/core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishedPackage, type PublishedPackage } from './published-package.ts'

// Vitest sets the condition `development`, under which the package leads to its TypeScript sources.
const analyzer = new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/core/package.json')).href
const { checkPackage, createPackageFromTarballData } = (await import(analyzer)) as typeof Analyzer

const bundleBytesMax = 9 * 1024

let publishedSdk: PublishedPackage
beforeAll(() => {
  publishedSdk = publishedPackage()
}, 120_000)
afterAll(() => publishedSdk[Symbol.dispose]())

describe('the published package', () => {
  it('the published package has JavaScript, types, README and license, and no dependencies', () => {
    const otherFiles = publishedSdk.files.filter((file) => !/^[a-z-]+\.(js|d\.ts)$/.test(file))
    expect(otherFiles.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
    const manifest = JSON.parse(readFileSync(join(publishedSdk.project, 'node_modules/@framegate/sdk/package.json'), 'utf8'))
    expect(manifest).toMatchObject({ license: 'Apache-2.0', repository: { directory: 'packages/sdk' }, sideEffects: false })
    expect(Object.keys(manifest).filter((field) => /dependencies|scripts|private/i.test(field))).toEqual([])
  })

  it('the published package passes publint', async () => {
    const { messages } = await publint({ pkgDir: join(publishedSdk.project, 'built'), pack: false, strict: true })
    expect(messages).toEqual([])
  })

  it('the published types are correct for every module resolution, with ES modules only', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(publishedSdk.tarball)))
    const problems = 'problems' in analysis ? analysis.problems : ['it has no types']
    // Node 20.19 and later can require ES modules. Earlier versions must import them.
    expect(problems.filter((problem) => typeof problem === 'string' || problem.kind !== 'CJSResolvesToESM')).toEqual([])
  })

  it('the published types describe every option with its default', () => {
    const declarations = publishedSdk.files
      .filter((file) => file.endsWith('.d.ts'))
      .map((file) => readFileSync(join(publishedSdk.project, 'node_modules/@framegate/sdk', file), 'utf8'))
    const interfaces = declarations.flatMap((text) => text.match(/^export interface \w+Options\b.*?^\}/gms) ?? [])
    const options = [...interfaces.join('\n').matchAll(/(?:\/\*\*((?:(?!\*\/).)*)\*\/\s*)?^ {4}(\w+)\??:/gms)]
    expect(options.length).toBeGreaterThan(25)
    expect(options.filter(([, words = '']) => !words.includes('Default: ')).map(([, , name]) => name)).toEqual([])
  })

  it.each(['browser', 'node'] as const)(
    'the complete SDK, bundled for the platform %s, minified and gzipped, is smaller than 9 KiB',
    async (platform) => {
      writeFileSync(join(publishedSdk.project, 'bundled.js'), "export * from '@framegate/sdk'\n")
      const warnings: string[] = []
      const bundle = await rolldown({
        input: join(publishedSdk.project, 'bundled.js'),
        platform,
        onwarn: (warning) => void warnings.push(warning.message ?? ''),
      })
      const { output } = await bundle.generate({ format: 'esm', minify: true })
      await bundle.close()
      const { code } = output[0]
      expect(warnings).toEqual([])
      expect(code.includes('node:fs')).toBe(platform === 'node')
      expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThan(bundleBytesMax)
    },
  )
})

/** Source files of projects that use the package. `wrongProgram` must not compile. */
const validProgram = `
import { Framegate, FramegateError, type CompletedTask, type Download } from '@framegate/sdk'
export async function make(signal: AbortSignal): Promise<CompletedTask | null> {
  const framegate = new Framegate({ apiKey: 'k', baseUrl: 'https://framegate.example.com/api' })
  try {
    const task = await framegate.tasks.createAndWait({ model: 'vidDq3-turbo', prompt: 'x', seconds: 2 }, { signal })
    const download: Download = await framegate.tasks.download(task, { onProgress: ({ receivedBytes }) => receivedBytes })
    const blob: Blob = await download.blob()
    const length: number | null = task.actualDuration
    for await (const { id } of await framegate.tasks.list({ status: 'completed' })) id.toUpperCase()
    return blob.size + (length ?? 0) > 0 ? task : null
  } catch (error) {
    if (error instanceof FramegateError && error.code === 'content_policy') return null
    throw error
  }
}
`
const wrongProgram = `
import { Framegate } from '@framegate/sdk'
export const task = new Framegate().tasks.create({ model: 'vidDq3-turbo', prompt: 'x', second: 2 })
`

const requireHere = createRequire(import.meta.url)
/** The repository's compiler, and the older one that `@arethetypeswrong/core` depends on. */
const compilers = { 'TypeScript 7': requireHere, 'TypeScript 5.6': createRequire(requireHere.resolve('@arethetypeswrong/core')) }

describe.each(Object.entries(compilers))('projects in %s', (name, { resolve }) => {
  const compiler = join(dirname(resolve('typescript/package.json')), 'bin/tsc')

  it.each(['bundler', 'nodenext'])(
    'the SDK compiles strictly with moduleResolution %s, and a wrong parameter is a type error',
    (moduleResolution) => {
      const folder = join(publishedSdk.project, `${name}-${moduleResolution}`)
      mkdirSync(folder)
      writeFileSync(join(folder, 'fine.ts'), validProgram)
      writeFileSync(join(folder, 'wrong.ts'), wrongProgram)
      const compilerOptions = {
        module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
      const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
      const errors = stdout.split('\n').filter((line) => line.includes('error TS'))
      expect(errors).toEqual([expect.stringMatching(/wrong\.ts\(3,\d+\): error TS2\d+: .*'second'/)])
    },
  )
})

// tools/snippets runs its example with the other pages.
it('the README of the published package has an example of five lines', () => {
  const readme = readFileSync(join(publishedSdk.project, 'node_modules/@framegate/sdk/README.md'), 'utf8')
  expect(/```js\n(.*?)\n```/s.exec(readme)?.[1]?.split('\n')).toHaveLength(5)
})
