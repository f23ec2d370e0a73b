import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { main } from 'assemblyscript/asc'

const source = path.join(import.meta.dirname, '../src')

interface KernelModule {
  folder: string
  /** File name without `.as.ts` and `.wasm`. */
  name: string
  memoryFlags: string
}

/** 4096 pages are 256 MiB. The memory for the image kernels must not have a larger maximum. */
export const pictureKernels: KernelModule = {
  folder: path.join(source, 'picture/kernels'),
  name: 'kernels',
  memoryFlags: '--enable threads --sharedMemory --importMemory --initialMemory 16 --maximumMemory 4096',
}

export const encoderKernels: KernelModule = {
  folder: path.join(source, 'video/h264/kernels'),
  name: 'encoder',
  memoryFlags: '--initialMemory 16 --maximumMemory 4096',
}

/** Compiles AssemblyScript and returns the module's bytes. */
export async function compileKernels({ folder, name, memoryFlags }: KernelModule): Promise<Uint8Array> {
  const outputFolder = await mkdtemp(path.join(tmpdir(), 'framegate-kernels-'))
  try {
    const output = path.join(outputFolder, `${name}.wasm`)
    const flags = `-O3 --runtime stub --noAssert --enable simd ${memoryFlags}`
    const messages: string[] = []
    const { error } = await main(
      [`${name}.as.ts`, ...flags.split(' '), '--baseDir', folder, '--outFile', path.relative(folder, output)],
      { stderr: { write: (chunk: string | Uint8Array) => void messages.push(String(chunk)) } },
    )
    if (error) throw new Error(`the kernels do not compile:\n${messages.join('')}`, { cause: error })
    return await readFile(output)
  } finally {
    await rm(outputFolder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const kernels of [pictureKernels, encoderKernels]) {
    await writeFile(path.join(kernels.folder, `${kernels.name}.wasm`), await compileKernels(kernels))
  }
}
