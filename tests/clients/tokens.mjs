// tokens.mjs - counts tokens with OpenAI's o200k encoding: an array of texts comes in, an array of numbers goes out.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

let text = '';
for await (const chunk of process.stdin) text += chunk;
// Whatever looks like a mark of the encoding is text here.
const counts = JSON.parse(text).map((one) => countTokens(one, { disallowedSpecial: new Set() }));
process.stdout.write(JSON.stringify(counts));
