import { testBooks } from './books';

testBooks(300, 300_000);
