import { checkDocument } from '../../tools/sandbox/contract';

test('the contract is a valid OpenAPI 3.1 document', checkDocument);
