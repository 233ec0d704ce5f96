const loopbackName = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** DNS cannot redirect these names. */
export const isLoopbackName = (hostname: string): boolean => loopbackName.test(hostname)
