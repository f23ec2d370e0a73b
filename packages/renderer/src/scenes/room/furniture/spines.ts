import { hex } from '../../../picture/color.ts'

/** Colors of book spines. */
export const spines = [
  '#8c3c34',
  '#34506c',
  '#5c6c44',
  '#b8843c',
  '#6c4a6c',
  '#3c5c58',
  '#a89878',
  '#4c3c34',
  '#c8b090',
  '#7c2c3c',
].map(hex)
