/**
 * The header in which a program sends its reader's token to `/mcp`. Not `Authorization`: the only bearer tokens are
 * those of operators' machines (spec section 5, rule 5).
 */
export const readerTokenHeader = "X-Civic-Record-Token"
