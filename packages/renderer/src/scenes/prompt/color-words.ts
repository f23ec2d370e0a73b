import type { Place } from './place.ts'

export const colorWords = {
  red: { hex: '#c8452a', words: 'red crimson scarlet ruby 红' },
  orange: { hex: '#e07b2c', words: 'orange amber copper 橙' },
  yellow: { hex: '#e8b53c', words: 'yellow gold golden 黄 金色' },
  green: { hex: '#5a9a4a', words: 'green emerald jade lime 绿' },
  teal: { hex: '#2f9c9c', words: 'teal turquoise cyan aqua 青' },
  blue: { hex: '#3a6ac4', words: 'blue azure sapphire navy cobalt 蓝' },
  purple: { hex: '#7a4fb8', words: 'purple violet lavender indigo magenta 紫' },
  pink: { hex: '#e07aa4', words: 'pink rose 粉' },
  white: { hex: '#f0ece6', words: 'white ivory 白' },
  black: { hex: '#24222a', words: 'black ebony 黑' },
  grey: { hex: '#8a8c94', words: 'grey gray silver 灰' },
  brown: { hex: '#7a5236', words: 'brown chestnut bronze 棕' },
} as const

export type ColorName = keyof typeof colorWords

/**
 * Colors that a place already has. They do not tint the image, because a "green meadow" has the
 * normal color of a meadow.
 */
export const placeColors: Partial<Record<Place, readonly ColorName[]>> = {
  lake: ['blue'],
  sea: ['blue', 'teal'],
  forest: ['green'],
  desert: ['yellow', 'orange'],
  space: ['black'],
  snowfield: ['white'],
  meadow: ['green'],
  underwater: ['blue', 'teal'],
}

/**
 * Words for parts of a scene. A color before such a word tints the image, unless the part has this
 * color by nature (`natural`).
 */
export const partWords: Record<string, { natural: readonly ColorName[]; words: string }> = {
  sky: { natural: ['blue'], words: 'sky 天空 天' },
  cloud: { natural: ['white', 'grey'], words: 'cloud 云' },
  water: { natural: ['blue', 'teal', 'green'], words: 'water 水' },
  leaf: { natural: ['green', 'red', 'orange', 'yellow', 'brown'], words: 'leaf tree 叶 树叶 叶子' },
  sand: { natural: ['white', 'yellow', 'orange'], words: 'sand rock stone' },
  body: {
    natural: ['red', 'yellow', 'green', 'blue', 'white', 'black', 'grey', 'brown', 'pink', 'orange', 'purple', 'teal'],
    words: 'hair eye skin beard lip feather fur 头发 眼睛',
  },
}

/**
 * Words for garments. The first person in the scene wears the color of the first garment in the
 * prompt that has a color word before it, unless the prompt names a color for the person.
 */
export const garmentWords =
  'coat jacket dress skirt gown robe cloak shirt sweater hoodie suit raincoat kimono saree scarf hat uniform outfit armor armour apron wetsuit wedding_dress wedding_gown 大衣 外套 裙子 长裙 裙 衣服 旗袍'
