const loopbackName = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Recognises host names that always mean this machine, so that no name server can point them elsewhere. */
export const isLoopbackName = (hostname: string): boolean => loopbackName.test(hostname)
