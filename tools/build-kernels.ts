import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { main } from 'assemblyscript/asc'

const kernelFolder = path.join(import.meta.dirname, '../packages/server/src/drivers/embedded/picture/kernels')

/** 256 MiB; the memory handed to the kernels may not have a larger maximum. */
const maximumPages = 4096

/** Compiles the picture kernels and returns the module's bytes. */
export async function compileKernels(): Promise<Uint8Array> {
  const outputFolder = await mkdtemp(path.join(tmpdir(), 'framegate-kernels-'))
  try {
    const output = path.join(outputFolder, 'kernels.wasm')
    const flags = '-O3 --runtime stub --noAssert --enable simd --enable threads --sharedMemory --importMemory --initialMemory 16'
    const messages: string[] = []
    const { error } = await main(
      [
        'kernels.as.ts',
        ...flags.split(' '),
        '--maximumMemory',
        String(maximumPages),
        '--baseDir',
        kernelFolder,
        '--outFile',
        path.relative(kernelFolder, output),
      ],
      { stderr: { write: (chunk: string | Uint8Array) => void messages.push(String(chunk)) } },
    )
    if (error) throw new Error(`the kernels do not compile:\n${messages.join('')}`, { cause: error })
    return await readFile(output)
  } finally {
    await rm(outputFolder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(path.join(kernelFolder, 'kernels.wasm'), await compileKernels())
}
