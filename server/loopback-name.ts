const loopbackName = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** These names always mean this machine, so DNS cannot redirect them. */
export const isLoopbackName = (hostname: string): boolean => loopbackName.test(hostname)
