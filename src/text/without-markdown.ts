/** Text as it reads once its Markdown is gone: models and imports leave `**bold**`, `# ` and `- ` in briefings. */
export const withoutMarkdown = (text: string): string =>
  text
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d{1,2}\.(?=[ \t]+\*\*))[ \t]+/gm, "")
    .replace(/!?\[([^\]\n]+)\]\((?:https?:|\/|#)[^\s)]*\)/g, "$1")
    .replace(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[\p{L}\p{N}"“])([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/`([^`\n]+)`/g, "$1")
