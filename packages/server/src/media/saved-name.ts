import type { Brand } from '../brands/brand.ts'

const nameCharactersMax = 40

/**
 * Returns the file name under which a browser saves a download. For a white-label brand, the name
 * begins with the letters and digits of the brand's name, if it has any in ASCII.
 */
export function savedName(fileName: string, brand: Pick<Brand, 'name' | 'isWhiteLabel'> | undefined): string {
  if (brand?.isWhiteLabel !== true) return fileName
  const words = brand.name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    // Upper case first, because it converts ß to two letters.
    .toUpperCase()
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return words === null ? fileName : `${words.join('-').slice(0, nameCharactersMax)}-${fileName}`
}
