const loopbackName = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Recognises host names that always mean this machine, so that DNS cannot redirect them. */
export const isLoopbackName = (hostname: string): boolean => loopbackName.test(hostname)
