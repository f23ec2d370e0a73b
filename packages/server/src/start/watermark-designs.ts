import type { Brands } from '../brands/brands.ts'
import { productWatermark, watermarkOf, type WatermarkDesign } from '../watermark/watermark-design.ts'

/** Returns a function that looks up the current watermark of an account's brand. */
export function createWatermarkDesigns(
  brands: Pick<Brands, 'ofAccount' | 'logoOf'>,
): (accountNo: number) => Promise<WatermarkDesign> {
  return async (accountNo) => {
    const brand = await brands.ofAccount(accountNo)
    return brand === undefined ? productWatermark : watermarkOf(brand, await brands.logoOf(brand))
  }
}
