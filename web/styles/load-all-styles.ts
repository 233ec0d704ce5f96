let loading: Promise<void> | undefined

/**
 * Loads all classes: the stylesheet of the first page has those of the screens alone that are not loaded by `withAllStyles`
 * (vite.config.ts). @throws when it cannot be loaded; the next call asks anew
 */
export const loadAllStyles = (): Promise<void> => {
  loading ??= addStylesheet().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Makes the code of a screen wait for all classes. */
export const withAllStyles =
  <Module>(load: () => Promise<Module>) =>
  async (): Promise<Module> =>
    (await Promise.all([load(), loadAllStyles()]))[0]

/** The build names the sheet in the page; in development the page has it from the start. */
async function addStylesheet(): Promise<void> {
  const href = document.querySelector<HTMLMetaElement>('meta[name="all-styles"]')?.content
  if (!href) return
  const sheet = document.createElement('link')
  sheet.rel = 'stylesheet'
  sheet.href = href
  await new Promise((resolve, reject) => {
    sheet.onload = resolve
    sheet.onerror = () => {
      sheet.remove()
      reject(new Error('The stylesheet could not be loaded'))
    }
    document.head.append(sheet)
  })
}
