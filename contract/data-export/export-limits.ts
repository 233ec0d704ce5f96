export const exportLifetimeDays = 7
export const exportsPerDay = 2
export const maxEarlierExports = 5
