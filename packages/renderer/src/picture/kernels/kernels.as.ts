// The picture kernels, in AssemblyScript (not TypeScript). tools/build-kernels.ts compiles them to
// kernels.wasm. Working planes hold 16-bit samples, which are limited-range BT.709 code values
// times 128 (0 to 32,640), so that blending causes no banding. The width of a luma plane is a
// multiple of 32 samples. A block is 8 samples, one SIMD vector.
export { buildSamplingTable } from './sampling.as'
export { composeLayer, mapTiles, composeTexture } from './compose.as'
export { addSplat } from './splat.as'
export { halvePlane, reflectWater } from './water.as'
export { reducePlane, enlargePlane } from './pyramid.as'
export { passBright, reduceGlow, addGlow, addLight } from './glow.as'
export { curveLuma, filterLuma, gradeChroma, toneChroma, tintChroma, weavePlane } from './style.as'
export { drawPixels } from './pixels.as'
export { washPlane, coatPlane } from './wash.as'
export { drawStroke, closeStrokes, lightRelief, listRuns, sampleStrokes, fillStrokes } from './strokes.as'
export { warpPicture } from './warp.as'
export { sampleNoise } from './noise.as'
export { softenHeights, projectHeights } from './heights.as'
export { shadeGroundRow, colorGroundRow } from './ground-light.as'
export { rasterizeGround } from './ground.as'
export { splitPremultiplied, flattenStraight } from './planes.as'
export { storePlane, storeRgb } from './output.as'
export { filterRows } from './png.as'
export { findBox, clearBytes, coverCells, blurCells, lightPart, composePart, drawShadowRow, reflectRow } from './figures.as'
