import axe from 'axe-core'

/** Runs axe on the page. @returns each broken rule with the HTML of its elements */
export async function findAxeProblems(rules?: string[]): Promise<[string, string[]][]> {
  const options: axe.RunOptions = { resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) }
  const { violations } = await axe.run(document.body, options)
  return violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)])
}
