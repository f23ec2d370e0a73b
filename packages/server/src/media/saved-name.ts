import type { Brand } from '../brands/brand.ts'

const nameCharactersMax = 40

/** What a browser calls a file that it saves: the name of the brand in plain letters, where it has any, before the file's own. */
export function savedName(fileName: string, brand: Pick<Brand, 'name' | 'isWhiteLabel'> | undefined): string {
  if (brand?.isWhiteLabel !== true) return fileName
  const words = brand.name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    // Upper case first: it writes ß as two letters.
    .toUpperCase()
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words === null ? fileName : `${words.join('-').slice(0, nameCharactersMax)}-${fileName}`
}
