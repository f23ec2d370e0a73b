/** A low-priced general model that accepts every parameter of the command line. */
export const defaultVideoModel = 'sd_2.0_fast_special'
export const defaultImageModel = 'imgA-5.0'
