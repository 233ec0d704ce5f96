/** `ana@example.org` becomes `a…@example.org`. */
export const maskEmailAddress = (address: string): string => address.replace(/^(.)[^@]*(?=@)/u, '$1…')
